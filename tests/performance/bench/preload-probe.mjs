import { writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8"
import { isMainThread } from "node:worker_threads"

// Loaded into a measured shop by the bench. At each SIGUSR2 it writes what it has seen since the last one to the file PROBE_FILE.

const file = process.env.PROBE_FILE
const NANOSECONDS = 1e6
/** Microseconds between two samples, and microseconds from which a piece is told. */
const SAMPLED_EVERY = 1_000
const TOLD_FROM = 3_000
const PIECES = 8

if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const profiler = process.env.PROBE_PIECES ? await startProfiler() : null
  process.on("SIGUSR2", async () => {
    const { external, arrayBuffers, rss } = process.memoryUsage()
    const pieces = profiler ? longestPieces(await profiler.taken()) : []
    const probed = {
      pieces,
      loop: {
        p50: delay.percentile(50) / NANOSECONDS,
        p99: delay.percentile(99) / NANOSECONDS,
        max: delay.max / NANOSECONDS,
      },
      memory: { rss, external, arrayBuffers },
      contexts: getHeapStatistics().number_of_detached_contexts,
      spaces: getHeapSpaceStatistics().map((it) => ({
        name: it.space_name,
        used: it.space_used_size,
        size: it.physical_space_size,
      })),
    }
    delay.reset()
    writeFileSync(file, JSON.stringify(probed))
  })
}

async function startProfiler() {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLED_EVERY })
  await session.post("Profiler.start")
  return {
    async taken() {
      const { profile } = await session.post("Profiler.stop")
      await session.post("Profiler.start")
      return profile
    },
  }
}

/**
 * The longest times without an idle sample, and the functions of the shop in which most of each was spent. They are single tasks
 * only while one visitor after the other is served.
 * @param {import("node:inspector").Profiler.Profile} profile
 */
function longestPieces({ nodes, samples = [], timeDeltas = [] }) {
  const nameOf = namesOf(nodes)
  /** @type {Piece[]} */
  const pieces = [emptyPiece()]
  for (const [at, id] of samples.entries()) {
    const name = nameOf.get(id) ?? ""
    if (name === "(idle)" || name === "(program)") pieces.push(emptyPiece())
    else addSample(pieces.at(-1), name, timeDeltas[at + 1])
  }
  return pieces
    .filter(({ microseconds }) => microseconds >= TOLD_FROM)
    .toSorted((one, other) => other.microseconds - one.microseconds)
    .slice(0, PIECES)
    .map(described)
}

/** @typedef {{ microseconds: number, names: Map<string, number> }} Piece */

/** @returns {Piece} */
const emptyPiece = () => ({ microseconds: 0, names: new Map() })

/**
 * @param {Piece | undefined} piece
 * @param {string} name
 * @param {number | undefined} lasted
 */
function addSample(piece, name, lasted = 0) {
  if (!piece) return
  piece.microseconds += lasted
  piece.names.set(name, (piece.names.get(name) ?? 0) + lasted)
}

/** @param {Piece} piece */
function described({ microseconds, names }) {
  const longest = [...names].toSorted(([, one], [, other]) => other - one).slice(0, 3)
  return {
    milliseconds: microseconds / 1_000,
    in: longest.map(([name, lasted]) => `${name} ${(lasted / 1_000).toFixed(1)}`),
  }
}

/**
 * Names each node by the function itself and the innermost function of the built server that called it.
 * @param {import("node:inspector").Profiler.ProfileNode[]} nodes
 */
function namesOf(nodes) {
  /** @type {Map<number, string>} */
  const names = new Map()
  /** @type {Map<number, string>} */
  const callers = new Map()
  // Each node comes after its parent.
  for (const { id, callFrame, children = [] } of nodes) {
    const caller = ownFunction(callFrame) || (callers.get(id) ?? "")
    names.set(id, nodeName(callFrame.functionName || "anonymous", caller))
    for (const child of children) callers.set(child, caller)
  }
  return names
}

/**
 * The name of a function of the built server; empty for any other.
 * @param {import("node:inspector").Runtime.CallFrame} callFrame
 */
function ownFunction({ url, functionName }) {
  return url.includes("/build/server/") ? functionName : ""
}

/**
 * @param {string} own
 * @param {string} caller
 */
function nodeName(own, caller) {
  const isAlone = own.startsWith("(") || caller === "" || caller === own
  return isAlone ? own : `${own} by ${caller}`
}
