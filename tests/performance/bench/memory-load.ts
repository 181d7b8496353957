import { setTimeout as pause } from "node:timers/promises"
import { threadMilliseconds } from "./cpu-time"
import { type Engine, engines, startLoadStage } from "./load-stage"
import { visitAndBuy } from "./mixed-load"
import { openLoop } from "./open-loop"
import { openProbe, type Probed } from "./probe"
import { memory } from "./process-stats"
import { again, median } from "./statistics"
import type { Reached } from "./targets"

const MEGA = 1_000_000
/** Milliseconds until a started shop is idle and has collected the garbage of its start. */
const AT_REST = 5_000
const LOOKS_EVERY = 1_000
/** Seconds in which the saturation is looked for. */
const SATURATES_FOR = 20
const AT_ONCE = 8

type Options = {
  readonly quick: boolean
  readonly minutes: number
  readonly print: (line: string) => void
  readonly nodeOptions?: string
}

/**
 * Measures the resident memory of a shop on each engine, idle and under mixed load at half of its saturation. No collection of
 * garbage is forced, so it is what an operator sees.
 */
export async function memoryUnderLoad(options: Options): Promise<Reached> {
  const { SQLite, PostgreSQL } = await eachEngine(options)
  return {
    idleMemory: Math.max(SQLite.idle, PostgreSQL.idle),
    loadedMemory: Math.max(SQLite.most, PostgreSQL.most),
  }
}

type Measured = { readonly idle: number; readonly most: number }

async function eachEngine(options: Options): Promise<Record<Engine, Measured>> {
  const [sqlite, postgres] = engines
  return { [sqlite]: await measure(sqlite, options), [postgres]: await measure(postgres, options) }
}

async function measure(engine: Engine, { quick, minutes, print, nodeOptions }: Options): Promise<Measured> {
  const probe = openProbe({ nodeOptions })
  const stage = await startLoadStage(engine, probe.env)
  const { shop } = stage
  try {
    await pause(AT_REST)
    const idle = memory(shop)
    print(`${engine}: idle ${idle.toFixed(0)} MB`)
    let buyers = 0
    const visit = () => visitAndBuy(stage, buyers++)
    const saturated = await again(visit, quick ? 2 : SATURATES_FOR, AT_ONCE)
    const perSecond = saturated.perSecond / 2
    const looks: number[] = []
    const looking = setInterval(() => looks.push(memory(shop)), LOOKS_EVERY)
    const spent = threadMilliseconds(shop.pid() ?? 0)
    const { times, failures } = await openLoop({ perSecond, seconds: minutes * 60 }, visit).finally(() =>
      clearInterval(looking),
    )
    const each = (threadMilliseconds(shop.pid() ?? 0) - spent) / Math.max(1, times.length)
    const most = Math.max(...looks)
    print(
      `${engine}: ${times.length} visits with a purchase each, ${perSecond.toFixed(1)} a second, half of the saturation, in ${minutes} min, ${failures.length} failed: median ${median(looks).toFixed(0)} MB, most ${most.toFixed(0)} MB, ${each.toFixed(1)} ms of processor time each`,
    )
    for (const line of kinds(await probe.look(shop))) print(`  ${line}`)
    return { idle, most }
  } finally {
    await stage.stop()
    probe.close()
  }
}

/** What the memory consists of, by V8's spaces and what lies outside of its heap, in MB. */
function kinds({ memory: { rss, arrayBuffers, external }, contexts, spaces }: Probed): string[] {
  const megabytes = (bytes: number) => (bytes / MEGA).toFixed(1)
  const heap = spaces.reduce((sum, { size }) => sum + size, 0)
  return [
    ...spaces
      .filter(({ size }) => size >= MEGA / 10)
      .map(({ name, used, size }) => `${name}: ${megabytes(size)} MB, of it in use ${megabytes(used)}`),
    `buffers: ${megabytes(arrayBuffers)} MB, other memory of objects: ${megabytes(external - arrayBuffers)}`,
    `code, libraries, threads and the database's cache: ${megabytes(rss - heap - external)} MB`,
    `detached contexts: ${contexts}`,
  ]
}
