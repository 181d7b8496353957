import { randomUUID } from "node:crypto"
import type { Compilable, CompiledQuery, QueryExecutor } from "kysely"
import type { DbContext } from "./transaction.server"

/** Placeholder for the id; a random UUID, so that no other parameter equals it. */
const ANY = randomUUID()

/**
 * Compiles a query by id once per open database: compiling takes longer than running it, and open pages poll every few
 * seconds. `build` must pass `name` (the id) to the query unchanged.
 */
export function precompiledQuery<Row>(
  build: (ctx: Pick<DbContext, "db">, name: string) => Compilable<Row>,
): (ctx: Pick<DbContext, "db">, name: string) => Promise<readonly Row[]> {
  const compiled = new WeakMap<QueryExecutor, CompiledQuery<Row>>()
  return async ({ db }, name) => {
    const executor = db.getExecutor()
    const query = compiled.get(executor) ?? build({ db }, ANY).compile()
    compiled.set(executor, query)
    const parameters = query.parameters.map((it) => (it === ANY ? name : it))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
