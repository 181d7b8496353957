import type { Finding } from "~/billing/diagnostic"
import { keepPrivate } from "~/wiring/private-files.server"
import { type Call, type Command, Refusal } from "../command"
import { reachGateway } from "../reach-gateway.server"

/** Looks whether whoever keeps the books is all there that a checkout needs; ends with 1 when something is not. */
export const doctor: Command = {
  takes: [],
  async run(call) {
    const findings = [
      keeper(call),
      ...dataFolder(call),
      ...(await examined(call)),
      ...(await call.books.operator.traces()),
      ...(await call.books.operator.checkPayments(call.now)),
      ...(await reached(call)),
    ]
    const said = findings.map(lineOf).join("\n")
    if (findings.some(({ ok }) => ok === false)) throw new Refusal(said)
    return said
  },
}

function keeper({ config }: Call): Finding {
  return { ok: null, what: "books", words: `kept by ${keepers[config.BILLING]}` }
}

/** What is not its owner's alone. */
function dataFolder({ config }: Call): readonly Finding[] {
  const open = keepPrivate(config.DATA_DIR)
  if (open.length === 0) return [{ ok: true, what: "data folder", words: "only its owner can read it" }]
  return open.map((words) => ({ ok: false, what: "data folder", words }))
}

const keepers = { embedded: "this shop", remote: "a server at BILLING_URL", whmcs: "WHMCS" } as const

async function examined({ backoffice, books, now }: Call): Promise<readonly Finding[]> {
  const jobs = await books.operator.examineJobs()
  if (!backoffice) return [...(await books.operator.examine(now)), ...jobs]
  return [...(await backoffice.examine(now)), ...(await books.operator.examineAccess()), ...jobs]
}

function reached({ gateways }: Call): Promise<readonly Finding[]> {
  return Promise.all(
    [...gateways().values()].map(async (it) => ({ what: `gateway ${it.id}`, ...(await reachGateway(it)) })),
  )
}

const WIDEST = 24

function lineOf({ ok, what, words }: Finding): string {
  const mark = ok === null ? "  " : ok ? "ok" : "NO"
  return `${mark}  ${what.padEnd(WIDEST)} ${words}`
}
