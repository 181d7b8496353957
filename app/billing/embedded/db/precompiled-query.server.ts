import { randomUUID } from "node:crypto"
import type { Compilable, CompiledQuery, QueryExecutor } from "kysely"
import type { DbContext } from "./transaction.server"

/** Stands for the name that is looked for; nothing else that a question holds is like it. */
const ANY = randomUUID()

/**
 * A question about one row or what belongs to it, which open pages ask every few seconds: it is put into SQL once
 * for books that are open, which takes longer than the answer. `question` must use the name it is given as it is.
 */
export function precompiledQuery<Row>(
  question: (ctx: Pick<DbContext, "db">, name: string) => Compilable<Row>,
): (ctx: Pick<DbContext, "db">, name: string) => Promise<readonly Row[]> {
  const compiled = new WeakMap<QueryExecutor, CompiledQuery<Row>>()
  return async ({ db }, name) => {
    const executor = db.getExecutor()
    const query = compiled.get(executor) ?? question({ db }, ANY).compile()
    compiled.set(executor, query)
    const parameters = query.parameters.map((it) => (it === ANY ? name : it))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
