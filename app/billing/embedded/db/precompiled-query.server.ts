import { randomUUID } from "node:crypto"
import type { Compilable, CompiledQuery, DialectAdapter } from "kysely"
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
  // A transaction has an executor of its own, but the adapter of its database.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  function compiledFor({ db }: Pick<DbContext, "db">): CompiledQuery<Row> {
    const { adapter, plugins } = db.getExecutor()
    // A plugin may change queries: what was compiled without it is not used with it.
    if (plugins.length > 0) return build({ db }, ANY).compile()
    const query = compiled.get(adapter) ?? build({ db }, ANY).compile()
    compiled.set(adapter, query)
    return query
  }

  return async ({ db }, name) => {
    const query = compiledFor({ db })
    const parameters = query.parameters.map((it) => (it === ANY ? name : it))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
