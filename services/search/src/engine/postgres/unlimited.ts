/** Said in the statement's own transaction: behind a pooler the role may have limits of its own. */
export const unlimited = "set local statement_timeout = 0; set local lock_timeout = 0";
