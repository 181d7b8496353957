import { setTimeout as pause } from "node:timers/promises"
import { offshoreCallback } from "../../fakes/offshore"
import { rawRequest } from "../../support/http/raw-request"
import { type LoadStage, startLoadStage } from "./load-stage"
import { visitAndBuy } from "./mixed-load"
import { openLoop } from "./open-loop"
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

const kinds = ["page", "callback", "health"] as const
type Kind = (typeof kinds)[number]

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
    const send = await requests(stage)
    const rate = await saturation((perSecond) => holds(send, perSecond, lengths.step))
    print(`From new connections ${rate.toFixed(0)} requests a second are answered in time`)
    await probe.look(stage.shop)
    const byKind = await loaded(send, rate * SHARE, lengths.load)
    const { loop } = await probe.look(stage.shop)
    for (const kind of kinds) print(lineOf(kind, byKind[kind].figures, byKind[kind].failed))
    print(`the client itself sent its requests late: p99 ${byKind.late.toFixed(1)} ms, which is not counted`)
    print(
      `event loop: delay p50 ${loop.p50.toFixed(1)} ms, p99 ${loop.p99.toFixed(1)}, most ${loop.max.toFixed(0)}`,
    )
    const { page, callback, health } = byKind
    return {
      loadedTail: page.figures.p99 / page.figures.p50,
      loadedCallback: callback.figures.p99 / 1_000,
      loadedHealth: health.figures.p99 / 1_000,
      loopDelay: loop.p99,
    }
  } finally {
    await stage.stop()
    probe.close()
  }
}

type Send = (nth: number) => Promise<{ kind: Kind }>

/** Of ten requests eight are pages: the first page, a known visitor's checkout and a waiting page. */
async function requests({ shop, callbackSecret }: LoadStage): Promise<Send> {
  const close = { connection: "close", accept: "text/html", "accept-encoding": "gzip, br" }
  const known = await knownVisitor(shop)
  const waiting = await waitingVisitor(shop, {})
  const pages = [
    { path: "/checkout/", headers: close },
    { path: "/checkout/", headers: { ...close, cookie: known } },
    { path: "/checkout/waiting", headers: { ...close, cookie: waiting } },
  ] as const
  let messages = 0
  return async (nth) => {
    if (nth % 10 === 0) {
      await answered(200, rawRequest(shop.url, "/checkout/api/health", { headers: close }))
      return { kind: "health" }
    }
    if (nth % 10 === 5) {
      const { headers, body } = offshoreCallback({
        body: JSON.stringify({ type: "payout.sent", data: {} }),
        at: Date.now(),
        id: `msg_${messages++}`,
        secret: callbackSecret,
      })
      const sent = { method: "POST", headers: { ...Object.fromEntries(headers), ...close }, body }
      await answered(204, rawRequest(shop.url, "/checkout/api/payments/offshore/callback", sent))
      return { kind: "callback" }
    }
    const { path, headers } = pages[nth % pages.length] ?? pages[0]
    await answered(200, rawRequest(shop.url, path, { headers }))
    return { kind: "page" }
  }
}

async function answered(status: number, response: Promise<{ status: number }>): Promise<void> {
  const answer = await response
  if (answer.status !== status) throw new Error(`answered ${answer.status}`)
}

async function holds(send: Send, perSecond: number, seconds: number): Promise<boolean> {
  const began = performance.now()
  const { failures } = await openLoop({ perSecond, seconds }, send)
  const late = (performance.now() - began) / 1_000 - seconds
  return late <= seconds * LATE_AT_MOST && failures.length <= perSecond * seconds * FAILED_AT_MOST
}

/**
 * Times each request from the moment it was sent. The client sends at a fixed rate and waits for no answer, so what delays it is its own
 * work, on a machine that it shares with the shop.
 */
async function loaded(send: Send, perSecond: number, seconds: number) {
  const times: Record<Kind, number[]> = { page: [], callback: [], health: [] }
  const late: number[] = []
  const began = performance.now()
  const { failures } = await openLoop({ perSecond, seconds }, async (nth) => {
    const sent = performance.now()
    late.push(sent - began - (nth * 1_000) / perSecond)
    const { kind } = await send(nth)
    times[kind].push(performance.now() - sent)
  })
  const of = (kind: Kind) => ({ figures: figures(times[kind], seconds), failed: failures.length })
  return {
    page: of("page"),
    callback: of("callback"),
    health: of("health"),
    late: figures(late, seconds).p99,
  }
}

function lineOf(kind: Kind, { p50, p99, perSecond }: Statistics, failed: number): string {
  const lost = kind === "page" ? `, ${failed} of all requests failed` : ""
  return `${kind}: ${perSecond.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${(p99 / p50).toFixed(1)} times it${lost}`
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
