import { randomBytes } from "node:crypto"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { freePort } from "../../support/server/free-port"
import { startShop, type TestServer } from "../../support/server/server-process"

export const engines = ["SQLite", "PostgreSQL"] as const
export type Engine = (typeof engines)[number]

/** A shop under load. Its gateway with the mailbox is a process of its own, which is not measured. */
export type LoadStage = {
  readonly shop: TestServer
  /** The shop's address and that of its gateway's pages. */
  readonly visited: { readonly url: string; readonly sandboxUrl: string }
  /** Signs the gateway's callbacks. */
  readonly callbackSecret: string
  stop(): Promise<void>
}

/** Starts the built shop as in production, on its own database, with these variables too. */
export async function startLoadStage(
  engine: Engine,
  env: Readonly<Record<string, string>> = {},
): Promise<LoadStage> {
  const postgres = engine === "PostgreSQL" ? await startPostgres({ isDurable: true }) : null
  const [PORT, smtpPort] = [String(await freePort()), String(await freePort())]
  const callbackSecret = `whsec_${randomBytes(24).toString("base64")}`
  const provider = await startShop({
    env: {
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      OFFSHORE_CALLBACK_SECRET: callbackSecret,
      SANDBOX_SMTP_PORT: smtpPort,
      LOG_LEVEL: "error",
    },
  })
  const shop = await startShop({
    isDurable: true,
    env: {
      PORT,
      OFFSHORE_CALLBACK_SECRET: callbackSecret,
      OFFSHORE_URL: `${provider.sandboxUrl}/offshore`,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      MAIL_FROM: "Shop <shop@example.test>",
      TRUSTED_PROXIES: "loopback",
      ...(postgres && { DATABASE_URL: await freshDatabase(postgres.url) }),
      ...env,
    },
  })
  return {
    shop,
    visited: { url: shop.url, sandboxUrl: provider.sandboxUrl },
    callbackSecret,
    async stop() {
      await shop.stop()
      await provider.stop()
      await postgres?.stop()
    },
  }
}
