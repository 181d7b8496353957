import { setTimeout as pause } from "node:timers/promises"
import { offshoreCallback } from "../../fakes/offshore"
import { fromClientThread } from "./client-thread"
import type { Answers, Prepared, Task } from "./connection-worker"
import { type LoadStage, startLoadStage } from "./load-stage"
import { visitAndBuy } from "./mixed-load"
import { openProbe } from "./probe"
import { knownVisitor, waitingVisitor } from "./purchase"
import { saturation } from "./saturation"
import { figures, type Statistics } from "./statistics"
import type { Reached } from "./targets"

/** Milliseconds until a started shop is idle. */
const AT_REST = 3_000
/** Load of the shop while its latency is measured. */
const SHARE = 0.7
/** A rate is held if the last answer comes at most this share of the time later, and at most one request of a hundred fails. */
const LATE_AT_MOST = 0.15
const FAILED_AT_MOST = 0.01

type Kind = "page" | "callback" | "health"

type Lengths = { readonly step: number; readonly load: number; readonly visits: number }
/** Seconds of a step of the search, seconds of the load, and visits in which pieces are looked for. */
const usual: Lengths = { step: 3, load: 20, visits: 30 }
const quickly: Lengths = { step: 1, load: 2, visits: 2 }

type Options = { readonly quick: boolean; readonly print: (line: string) => void }

/**
 * Measures the shop from new connections at 70 % of what it can answer: latencies, delay of the event loop, and the longest
 * pieces of work that held it.
 */
export async function latencyUnderLoad({ quick, print }: Options): Promise<Reached> {
  const lengths = quick ? quickly : usual
  const reached = await underLoad(lengths, print)
  await namePieces(lengths, print)
  return reached
}

async function underLoad(lengths: Lengths, print: Options["print"]): Promise<Reached> {
  const probe = openProbe()
  const stage = await startLoadStage("SQLite", probe.env)
  try {
    await pause(AT_REST)
    const prepare = await preparing(stage)
    const port = Number(new URL(stage.shop.url).port)
    const send = (perSecond: number, seconds: number) =>
      sendAll(port, prepare(Math.floor(perSecond * seconds)), perSecond)
    const rate = await saturation(async (perSecond) =>
      isHeld(await send(perSecond, lengths.step), lengths.step),
    )
    print(`From new connections ${rate.toFixed(0)} requests a second are answered in time`)
    await probe.look(stage.shop)
    const { times, late, failures } = await send(rate * SHARE, lengths.load)
    const { loop } = await probe.look(stage.shop)
    const of = (kind: Kind) => figures(times[kind] ?? [], lengths.load)
    const [page, callback, health] = [of("page"), of("callback"), of("health")]
    print(`${lineOf("page", page)}, ${failures.length} of all requests failed`)
    print(lineOf("callback", callback))
    print(lineOf("health", health))
    const lateness = figures(late, lengths.load).p99.toFixed(1)
    print(`the client itself sent its requests late: p99 ${lateness} ms, which is not counted`)
    print(
      `event loop: delay p50 ${loop.p50.toFixed(1)} ms, p99 ${loop.p99.toFixed(1)}, most ${loop.max.toFixed(0)}`,
    )
    return {
      loadedTail: page.p99 / page.p50,
      loadedCallback: callback.p99 / 1_000,
      loadedHealth: health.p99 / 1_000,
      loopDelay: loop.p99,
    }
  } finally {
    await stage.stop()
    probe.close()
  }
}

/**
 * Prepares requests in the order in which they are sent. Of ten eight are pages: the first page, a known visitor's checkout and a waiting
 * page.
 */
async function preparing({ shop, callbackSecret }: LoadStage): Promise<(count: number) => Prepared[]> {
  const { host } = new URL(shop.url)
  const get = (kind: Kind, path: string, headers: Record<string, string> = {}) =>
    prepared({ kind, status: 200, head: `GET ${path}`, headers: { host, ...headers } })
  const health = get("health", "/checkout/api/health")
  const pages = [
    get("page", "/checkout/"),
    get("page", "/checkout/", { cookie: await knownVisitor(shop) }),
    get("page", "/checkout/waiting", { cookie: await waitingVisitor(shop, {}) }),
  ]
  let messages = 0
  const callback = () => {
    const { headers, body } = offshoreCallback({
      body: JSON.stringify({ type: "payout.sent", data: {} }),
      at: Date.now(),
      id: `msg_${messages++}`,
      secret: callbackSecret,
    })
    const sent = { host, "content-length": String(body.length), ...Object.fromEntries(headers) }
    const head = "POST /checkout/api/payments/offshore/callback"
    return prepared({ kind: "callback", status: 204, head, headers: sent, body })
  }
  const nthOf = (nth: number) => {
    if (nth % 10 === 0) return health
    return nth % 10 === 5 ? callback() : (pages[nth % pages.length] ?? health)
  }
  return (count) => Array.from({ length: count }, (_, nth) => nthOf(nth))
}

type Parts = {
  readonly kind: Kind
  readonly status: number
  readonly head: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

function prepared({ kind, status, head, headers, body = new Uint8Array() }: Parts): Prepared {
  const all = { connection: "close", accept: "text/html", "accept-encoding": "gzip, br", ...headers }
  const lines = [`${head} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)]
  return { kind, status, bytes: Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]) }
}

/** Sends requests at a fixed rate, each on a new connection. */
function sendAll(port: number, requests: readonly Prepared[], perSecond: number): Promise<Answers> {
  return fromClientThread<Task, Answers>("connection-worker.ts", { port, requests, perSecond })
}

/** Whether the answers of so many seconds came in time. */
function isHeld({ seconds, failures, late }: Answers, sentFor: number): boolean {
  return seconds - sentFor <= sentFor * LATE_AT_MOST && failures.length <= late.length * FAILED_AT_MOST
}

function lineOf(kind: Kind, { p50, p99, perSecond }: Statistics): string {
  return `${kind}: ${perSecond.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${(p99 / p50).toFixed(1)} times it`
}

/** Serves one visitor after the other, so that work between two pauses is one piece. */
async function namePieces({ visits }: Lengths, print: Options["print"]): Promise<void> {
  const probe = openProbe({ withPieces: true })
  const stage = await startLoadStage("SQLite", probe.env)
  try {
    await pause(AT_REST)
    // Compiled code and full caches: only what each visit costs is looked for.
    for (let nth = 0; nth < visits; nth++) await visitAndBuy(stage, nth)
    await probe.look(stage.shop)
    for (let nth = visits; nth < 2 * visits; nth++) await visitAndBuy(stage, nth)
    const { pieces } = await probe.look(stage.shop)
    print(`longest pieces of ${visits} visits one after the other, with what took most of each:`)
    for (const piece of pieces) print(`  ${piece.milliseconds.toFixed(1)} ms: ${piece.in.join(", ")}`)
  } finally {
    await stage.stop()
    probe.close()
  }
}
