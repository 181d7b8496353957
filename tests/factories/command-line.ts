import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { answerTo } from "~/books.server"
import type { Environment } from "~/config.server"
import { NOON, shelf } from "../contracts/billing-fixtures"
import { embeddedBooks } from "../contracts/embedded-books"

export const SECRET = "a secret of at least thirty-two characters"

/** The operator's command line over books of a folder of its own, with one customer, or "nobody". */
export async function openCommandLine(email = "ana+tv@example.test") {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-commands-"))
  const environment: Environment = {
    ...{ DATA_DIR: folder, PUBLIC_URL: "http://127.0.0.1:3000", SESSION_SECRETS: SECRET },
  }
  const books = await embeddedBooks(join(folder, "books.db"), shelf)
  const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const
  const { customerId } =
    email === "nobody" ? { customerId: "" } : await books.billing.identify({ ...visitor, email })
  return {
    ...{ books, folder, customerId },
    /** Gives a command, with what the operator types when he is asked, and variables of its own. */
    command: (line: string, typed = "", changes: Environment = {}) =>
      answerTo(line.split(" "), {
        ...{ environment: { ...environment, ...changes }, now: NOON, ask: async () => typed },
      }),
    /** Does to the stored books what no command does. */
    spoil(statement: string) {
      const database = new DatabaseSync(join(folder, "books.db"))
      database.exec(statement)
      database.close()
    },
    close: async () => {
      await books.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export type CommandLine = Awaited<ReturnType<typeof openCommandLine>>
