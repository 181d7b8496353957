import { globSync, readdirSync, readFileSync } from "node:fs"

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100
const UNKNOWN = "Only on Linux is the processor time of other programs known"

/** Returns the processor time of a process and its threads, in seconds. */
export function processorSeconds(pid: number): number {
  const times = timesOf(String(pid))
  if (!times) throw new Error(UNKNOWN)
  return times.own / TICKS
}

/** The same for a process and all its descendants, including ended ones. */
export function familySeconds(pid: number): number {
  const family = readdirSync("/proc").flatMap((it) => timesOf(it) ?? [])
  const ticks = family.filter((it) => it.pid === pid || it.parent === pid).map((it) => it.own + it.ofEnded)
  if (ticks.length === 0) throw new Error(UNKNOWN)
  return ticks.reduce((sum, it) => sum + it, 0) / TICKS
}

/**
 * Processor time of a process with all its living threads, in milliseconds, by the scheduler's own count of nanoseconds: fine
 * enough for a single request.
 */
export function threadMilliseconds(pid: number): number {
  const files = globSync(`/proc/${pid}/task/*/schedstat`)
  return files.reduce((sum, it) => sum + nanoseconds(it), 0) / 1e6
}

/** Returns the same for a process and its children; what a child has used counts after its end, too. */
export function familyMeter(pid: number): () => number {
  const used = new Map<string, number>()
  return () => {
    const children = readdirSync("/proc").filter((it) => timesOf(it)?.parent === pid)
    for (const it of [String(pid), ...children])
      used.set(it, Math.max(used.get(it) ?? 0, threadMilliseconds(Number(it))))
    return [...used.values()].reduce((sum, it) => sum + it, 0)
  }
}

/** 0 for a thread that has just ended. */
function nanoseconds(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0])
  } catch {
    return 0
  }
}

/** Returns the parent of a process. */
export function parentOf(pid: number): number {
  const times = timesOf(String(pid))
  if (!times) throw new Error(UNKNOWN)
  return times.parent
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5); null if the process does not exist. */
function timesOf(pid: string): { pid: number; parent: number; own: number; ofEnded: number } | null {
  if (!/^\d+$/.test(pid)) return null
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    const sum = (from: number, to: number) =>
      fields.slice(from, to).reduce((total, it) => total + Number(it), 0)
    return { pid: Number(pid), parent: Number(fields[1]), own: sum(11, 13), ofEnded: sum(13, 15) }
  } catch {
    return null
  }
}
