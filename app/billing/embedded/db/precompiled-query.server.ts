import { randomInt, randomUUID } from "node:crypto"
import type { Compilable, CompiledQuery, DialectAdapter } from "kysely"
import type { DbContext } from "./transaction.server"

type Database = Pick<DbContext, "db">

type Value = string | number

/** A placeholder for any value of a type: random, so that no other parameter equals it. */
const placeholderOf = {
  text: () => randomUUID(),
  integer: () => randomInt(2 ** 47, 2 ** 48 - 1),
}

type TypeOf<It extends Value> = It extends string ? "text" : "integer"

/**
 * Compiles a query by id once per open database: compiling takes longer than running it, and open pages poll every few
 * seconds. `build` must pass `id` to the query unchanged.
 */
export function precompiledQuery<Row>(
  build: (ctx: Database, id: string) => Compilable<Row>,
): (ctx: Database, id: string) => Promise<readonly Row[]> {
  const run = precompiledQueryBy<{ id: string }, Row>({ id: "text" }, (ctx, { id }) => build(ctx, id))
  return (ctx, id) => run(ctx, { id })
}

/**
 * Like `precompiledQuery`, for a query by several values. `build` must pass each of them to the query unchanged, and
 * none as a limit, which is a part of the text.
 */
export function precompiledQueryBy<Values extends Readonly<Record<string, Value>>, Row>(
  types: { readonly [Name in keyof Values & string]: TypeOf<Values[Name]> },
  build: (ctx: Database, values: Values) => Compilable<Row>,
): (ctx: Database, values: Values) => Promise<readonly Row[]> {
  const placeholders = Object.entries<"text" | "integer">(types).map(
    ([name, type]) => [name, placeholderOf[type]()] as const,
  )
  const nameOf = new Map<unknown, string>(placeholders.map(([name, placeholder]) => [placeholder, name]))
  // A transaction has an executor of its own, but the adapter of its database.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  function compiledFor({ db }: Database): CompiledQuery<Row> {
    const { adapter, plugins } = db.getExecutor()
    const compile = () => build({ db }, Object.fromEntries(placeholders) as Values).compile()
    // A plugin may change queries: what was compiled without it is not used with it.
    if (plugins.length > 0) return compile()
    const query = compiled.get(adapter) ?? compile()
    compiled.set(adapter, query)
    return query
  }

  return async ({ db }, values) => {
    const query = compiledFor({ db })
    const parameters = query.parameters.map((it) => {
      const name = nameOf.get(it)
      return name === undefined ? it : values[name]
    })
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
