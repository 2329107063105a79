import { activeCall } from "@storefront/process";
import { ConnectionSilentError } from "./database-errors.ts";
import type { Statement, Transaction, TransactionOptions } from "./database.ts";
import type { SessionLimits } from "./drivers/driver-pool.ts";
import { commitChannel } from "./idle/commit-listener.ts";
import { isInBackground } from "./idle/polling.ts";
import { queryableOver } from "./session.ts";
import type { Session } from "./session.ts";

/** Runs work with a connection of its own. */
export type UseSession = <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>;

/** The result of the caller's work; after its own error the connection is clean. */
type Outcome<Result> =
  | { isCommitted: true; result: Result }
  | { isCommitted: false; error: unknown };

/** See `Database.transaction`. */
export async function runTransaction<Result>(
  use: UseSession,
  beginning: TransactionBeginning,
  work: (tx: Transaction) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  const outcome = await use(async (session): Promise<Outcome<Result>> => {
    await session.query({ text: beginStatement(options, beginning) });
    const { tx, finish } = openTransaction(session, options.isUnlimited === true ? 0 : undefined);
    try {
      const result = await work(tx);
      finish();
      // A client whose call was rejected as too late does not expect a commit.
      const abortReason = activeCall()?.abortReason;
      if (abortReason !== undefined) throw abortReason;
      const { command } = await session.query({ text: "commit" });
      // A statement failed and `work` continued: the server rolls back at COMMIT.
      if (command === "ROLLBACK") throw new Error("A statement of the transaction had failed.");
      return { isCommitted: true, result };
    } catch (error) {
      finish();
      if (error instanceof ConnectionSilentError) throw error;
      await session.query({ text: "rollback" });
      return { isCommitted: false, error };
    }
  });
  if (outcome.isCommitted) return outcome.result;
  throw outcome.error;
}

/** A transaction that rejects statements once it is finished: they would run outside of it. */
function openTransaction(
  session: Session,
  timeoutMs: number | undefined,
): { tx: Transaction; finish: () => void } {
  let isOpen = true;
  const run = async (statement: Statement, parameters: readonly unknown[]) => {
    if (!isOpen) throw new Error("The transaction is over; a statement of it was not awaited.");
    return session.run(statement, parameters, timeoutMs);
  };
  const tx: Transaction = {
    ...queryableOver({ read: run, write: run }),
    async script(sql) {
      await run(sql, []);
    },
  };
  return {
    tx,
    finish: () => {
      isOpen = false;
    },
  };
}

/** The session in which a transaction begins. */
interface TransactionBeginning {
  /** Undefined where the server has none. */
  readonly limits: SessionLimits | undefined;
  /** Whether the session has the limits already. */
  readonly hasSessions: boolean;
  /** Whether its commit is notified, so that no process has to poll for it. */
  readonly notifiesCommits: boolean;
}

/**
 * Begins a transaction and sets its limits in one message, which saves round trips. The server itself ends
 * statements of a call at the call's deadline, in case this process no longer runs.
 */
function beginStatement(
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

/** Limits of a session, which are for the statements of calls. */
const sessionLimits = ["statement_timeout", "lock_timeout"];

/** See `Database.outsideTransaction`. */
export async function runOutsideTransaction(
  use: UseSession,
  hasSessions: boolean,
  statements: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  try {
    await use(async (session) => {
      // Behind a pooler, settings outside a transaction would apply to other clients.
      const set = hasSessions ? sessionLimits : [];
      for (const limit of set) await session.query({ text: `set ${limit} = 0` });
      try {
        for (const text of statements) await runUntilAborted(session, text, signal);
      } finally {
        for (const limit of set) await session.query({ text: `reset ${limit}` });
      }
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Settles once the server has acted on the cancellation, so that a late one affects no other statement. */
async function runUntilAborted(
  session: Session,
  text: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = session.cancel?.();
  };
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    await session.query({ text, timeoutMs: 0 });
  } finally {
    signal?.removeEventListener("abort", cancel);
    await cancelling;
  }
}
