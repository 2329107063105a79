import { activeCall } from "@storefront/call-scope";
import type { SessionLimits } from "./connection-pool.ts";
import type { TransactionOptions } from "./database.ts";
import { isInBackground } from "./idle/background-work.ts";
import { commitChannel } from "./idle/commit-listener.ts";

/** What is known of the session that a transaction begins in. */
export interface TransactionBeginning {
  /** Undefined where the server has none. */
  readonly limits: SessionLimits | undefined;
  /** Whether the session has the limits already. */
  readonly hasSessions: boolean;
  /** Whether its commit is notified, so that nobody has to poll for it. */
  readonly notifiesCommits: boolean;
}

/**
 * How a transaction begins: in one message, so that what it sets costs no way to the server and back.
 * The server itself ends statements of a call at the call's deadline, should this process not be there
 * any more to ask for it.
 */
export function beginStatement(
  { isolation, readOnly, isUnlimited }: TransactionOptions,
  { limits, hasSessions, notifiesCommits }: TransactionBeginning,
): string {
  const level = isolation === undefined ? "" : ` isolation level ${isolation}`;
  // A notification is sent when the transaction is committed, and never if it is not.
  const notifies = notifiesCommits && readOnly !== true && !isInBackground();
  const notice = notifies ? `; notify ${commitChannel}` : "";
  const begin = `begin${level}${readOnly === true ? " read only" : ""}${notice}`;
  if (limits === undefined) return begin;
  if (isUnlimited === true) return [begin, ...settingsOf(unlimited)].join("; ");
  const leftMs = Math.max(1, Math.ceil((activeCall()?.deadlineMs ?? Infinity) - Date.now()));
  const statementTimeoutMs = Math.min(leftMs, limits.statementTimeoutMs);
  if (!hasSessions) return [begin, ...settingsOf({ ...limits, statementTimeoutMs })].join("; ");
  return leftMs < limits.statementTimeoutMs
    ? `${begin}; set local statement_timeout = ${leftMs}`
    : begin;
}

const unlimited = { statementTimeoutMs: 0, lockTimeoutMs: 0, idleTransactionTimeoutMs: 0 };

function settingsOf(limits: SessionLimits): string[] {
  return [
    `set local statement_timeout = ${limits.statementTimeoutMs}`,
    `set local lock_timeout = ${limits.lockTimeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${limits.idleTransactionTimeoutMs}`,
  ];
}
