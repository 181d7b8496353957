import type { CompiledQuery, Kysely, KyselyPlugin } from "kysely"
import type { Tables } from "~/billing/embedded/db/schema/schema"

export type RecordedQuery = { readonly by: string; readonly query: CompiledQuery }
type Port = { readonly [call: string]: unknown }

/** Records each database query with the port method that issued it; one call at a time. */
export function recorder(db: Kysely<Tables>) {
  const queries: RecordedQuery[] = []
  const called = new Set<string>()
  let by = "nobody"
  const built = new WeakMap<object, RecordedQuery>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      built.set(queryId, { by, query: db.getExecutor().compileQuery(node, queryId) })
      return node
    },
    /** Subqueries are compiled too, but have no result of their own. */
    async transformResult({ queryId, result }) {
      const recorded = built.get(queryId)
      if (recorded) queries.push(recorded)
      return result
    },
  }
  return {
    queries,
    called,
    db: db.withPlugin(plugin),
    /** Wraps a port, so that its calls are recorded by port and method name. */
    named<T extends object>(name: string, port: T): T {
      return new Proxy(port, {
        get(target, call) {
          const act: unknown = Reflect.get(target, call)
          if (typeof act !== "function") return act
          return (...args: unknown[]) => {
            by = `${name}.${String(call)}`
            called.add(by)
            return Reflect.apply(act, target, args)
          }
        },
      })
    },
  }
}

export function callsOf(name: string, port: object): string[] {
  return Object.entries(port as Port).flatMap(([call, it]) =>
    typeof it === "function" ? `${name}.${call}` : [],
  )
}
