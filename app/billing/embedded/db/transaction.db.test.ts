import { sql } from "kysely"
import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { openDatabase } from "./database.server"
import { type DbContext, guarded } from "./transaction.server"

type Numbers = {
  sum(first: number, second?: number): Promise<number>
  missing(): Promise<unknown>
  reject(): Promise<never>
}

test("guarded passes the database to each operation and maps its database errors", async () => {
  const ctx: DbContext = { db: openDatabase({ url: ":memory:", timeoutMs: 1_000 }), newId: () => "1" }
  const rejection = new BillingError("refused", "no")
  const numbers = guarded<Numbers>(ctx, {
    async sum({ db }, first, second = 1) {
      const { rows } = await sql<{ sum: number }>`select ${first} + ${second} as sum`.execute(db)
      return rows[0]?.sum ?? 0
    },
    missing: ({ db }) => sql`select * from no_such_table`.execute(db),
    reject() {
      throw rejection
    },
  })
  expect(await numbers.sum(2)).toBe(3)
  expect(await numbers.sum(2, 3)).toBe(5)
  await expect(numbers.missing()).rejects.toMatchObject({ name: "BillingError", kind: "unavailable" })
  await expect(numbers.reject()).rejects.toBe(rejection)
  await ctx.db.destroy()
})
