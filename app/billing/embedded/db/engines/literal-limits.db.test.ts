import { Kysely, SqliteDialect, sql } from "kysely"
import { describe, expect, test } from "vitest"
import type { Tables } from "../schema/schema"
import { PostgresqlCompiler, SqliteCompiler } from "./literal-limits.server"

describe.each([
  ["SQLite", SqliteCompiler],
  ["PostgreSQL", PostgresqlCompiler],
])("a limit on %s", (_, Compiler) => {
  class Dialect extends SqliteDialect {
    override createQueryCompiler() {
      return new Compiler() as never
    }
  }
  const db = new Kysely<Tables>({ dialect: new Dialect({ database: {} as never }) })
  const leases = db.selectFrom("leases").select("name").where("holder", "=", "nobody")

  test("is a part of the text, and not a value by which the statement is planned each time", () => {
    const { sql: text, parameters } = leases.limit(3).compile()
    expect(text).toMatch(/ limit 3$/)
    expect(parameters).toEqual(["nobody"])
  })

  test("that is an expression stays one", () => {
    expect(leases.limit(sql<number>`1 + 2`).compile().sql).toMatch(/ limit 1 \+ 2$/)
  })
})
