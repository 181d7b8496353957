import type { CompiledQuery, DatabaseConnection, Kysely } from "kysely"
import type { Tables } from "~/billing/embedded/db/schema/schema"

/** Records every statement that is sent to a database, BEGIN and COMMIT included. Returns the list that grows. */
export function statementsOf(db: Kysely<Tables>): string[] {
  const statements: string[] = []
  const observed = new WeakSet<DatabaseConnection>()
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  executor.provideConnection = (consumer) =>
    provide((connection) => {
      if (!observed.has(connection)) observe(connection)
      return consumer(connection)
    })
  return statements

  function observe(connection: DatabaseConnection) {
    observed.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = <R>(query: CompiledQuery) => {
      statements.push(query.sql)
      return execute<R>(query)
    }
  }
}
