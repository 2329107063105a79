import { parse } from "libpg-query";
import type { AlterTableCmd, ColumnDef, Node, RangeVar } from "libpg-query";
import { partitioningInPlace } from "./partitioning-in-place.ts";

/** The context of a migration. */
export interface MigrationContext {
  schema: string;
  /** Version of the release before, such as `0.1.0`. */
  releaseBefore: string;
}

/** The first line of a file that may remove what exists. */
const contractLine = /^-- contract: no longer read since (\d+\.\d+\.\d+)\n/;

/** Statements that do not change what exists. */
const additions: ReadonlySet<string> = new Set([
  "CreateStmt",
  "CreateTableAsStmt",
  "CreateSeqStmt",
  "CreateEnumStmt",
  "CreateDomainStmt",
  "CreateTrigStmt",
  "CommentStmt",
  "InsertStmt",
  "UpdateStmt",
  "SelectStmt",
  "VariableSetStmt",
  "VacuumStmt",
]);

/** Changes of a table that no reader or writer notices. */
const harmlessChanges: ReadonlySet<string> = new Set([
  "AT_SetStatistics",
  "AT_SetStorage",
  "AT_SetCompression",
  "AT_SetRelOptions",
  "AT_ResetRelOptions",
  "AT_ValidateConstraint",
]);

/** Constraints that a column may be added with; each other one may refuse a row or rewrites the table. */
const harmlessConstraints: ReadonlySet<string> = new Set([
  "CONSTR_NULL",
  "CONSTR_NOTNULL",
  "CONSTR_DEFAULT",
]);

/**
 * What a migration does that the release before may not survive, a sentence for each; empty when it
 * only adds (expand), or says that the release before no longer reads what it removes (contract).
 * What is not known to be an addition counts as a departure.
 *
 * @throws SqlError when it is no SQL.
 */
export async function departuresOf(sql: string, context: MigrationContext): Promise<string[]> {
  const { stmts } = await parse(sql);
  const unreadSince = contractLine.exec(sql)?.[1];
  if (unreadSince !== undefined) {
    return isBefore(context.releaseBefore, unreadSince)
      ? [`removes what release ${context.releaseBefore}, the one before, still reads`]
      : [];
  }
  const statements = (stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]));
  const nameOf = ({ schemaname = context.schema, relname = "" }: RangeVar) =>
    `${schemaname}.${relname}`;
  const inPlace = partitioningInPlace(statements, nameOf);
  const others = statements.filter((statement) => !inPlace.has(statement));
  const made = new Set(others.flatMap(madeBy).map(nameOf));
  const isNew = (relation: RangeVar | undefined) =>
    relation !== undefined && made.has(nameOf(relation));
  return others.flatMap((statement) => departuresIn(statement, isNew));
}

function madeBy(statement: Node): RangeVar[] {
  const relation = "CreateStmt" in statement ? statement.CreateStmt.relation : undefined;
  const sequence = "CreateSeqStmt" in statement ? statement.CreateSeqStmt.sequence : undefined;
  return [relation, sequence].filter((each) => each !== undefined);
}

function departuresIn(
  statement: Node,
  isNew: (relation: RangeVar | undefined) => boolean,
): string[] {
  if ("IndexStmt" in statement) {
    const { relation, concurrent, unique } = statement.IndexStmt;
    if (isNew(relation)) return [];
    if (unique === true) return ["makes unique what the release before may write twice"];
    return concurrent === true ? [] : ["builds an index that blocks writes: concurrently"];
  }
  if ("AlterTableStmt" in statement) {
    const { relation, cmds = [] } = statement.AlterTableStmt;
    if (isNew(relation)) return [];
    return cmds.flatMap((node) => ("AlterTableCmd" in node ? changeIn(node.AlterTableCmd) : []));
  }
  if ("AlterSeqStmt" in statement) {
    return isNew(statement.AlterSeqStmt.sequence) ? [] : ["changes a sequence"];
  }
  if ("CreateFunctionStmt" in statement) {
    return statement.CreateFunctionStmt.replace === true ? ["replaces a function"] : [];
  }
  if ("ViewStmt" in statement) {
    return statement.ViewStmt.replace === true ? ["replaces a view"] : [];
  }
  const [kind = ""] = Object.keys(statement);
  return additions.has(kind) ? [] : [`does what is not known to be an addition: ${kind}`];
}

function changeIn({ subtype = "AT_AddColumn", name, def }: AlterTableCmd): string[] {
  if (harmlessChanges.has(subtype)) return [];
  if (subtype !== "AT_AddColumn" || def === undefined || !("ColumnDef" in def)) {
    return [`changes what exists: ${subtype}${name === undefined ? "" : ` of ${name}`}`];
  }
  return columnDepartures(def.ColumnDef);
}

function columnDepartures({ colname, constraints = [] }: ColumnDef): string[] {
  const kinds = new Set(
    constraints.map((node) => ("Constraint" in node ? (node.Constraint.contype ?? "") : "")),
  );
  const refused = [...kinds].filter((kind) => !harmlessConstraints.has(kind));
  if (refused.length > 0) return [`adds ${colname} with ${refused.join(", ")}`];
  return kinds.has("CONSTR_NOTNULL") && !kinds.has("CONSTR_DEFAULT")
    ? [`adds ${colname}, which the release before leaves out, without a default`]
    : [];
}

/** Whether a version comes before another one. */
export function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}
