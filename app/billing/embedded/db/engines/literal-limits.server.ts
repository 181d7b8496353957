import { type LimitNode, PostgresQueryCompiler, SqliteQueryCompiler, ValueNode } from "kysely"

/**
 * Compilers that write the number of a limit into the text of a query instead of binding it: limits are few different numbers. SQLite
 * plans by the number, so it would plan a statement again whenever the number is bound, which takes longer than most queries.
 * PostgreSQL would plan a prepared statement for a tenth of the table instead.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const number = numberIn(node)
    if (number === null) super.visitLimit(node)
    else this.append(`limit ${number}`)
  }
}

export class PostgresqlCompiler extends PostgresQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const number = numberIn(node)
    if (number === null) super.visitLimit(node)
    else this.append(`limit ${number}`)
  }
}

function numberIn({ limit }: LimitNode): number | null {
  return ValueNode.is(limit) && Number.isSafeInteger(limit.value) ? Number(limit.value) : null
}
