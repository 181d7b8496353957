import { readdirSync, readFileSync } from "node:fs"

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100
const UNKNOWN = "Only on Linux is the processor time of other programs known"

/** Seconds of processor time that a process has had, in all its threads. */
export function processorSeconds(pid: number): number {
  const times = timesOf(String(pid))
  if (!times) throw new Error(UNKNOWN)
  return times.own / TICKS
}

/** The same of a process and all that it has begun, what has ended among it included. */
export function familySeconds(pid: number): number {
  const family = readdirSync("/proc").flatMap((it) => timesOf(it) ?? [])
  const ticks = family.filter((it) => it.pid === pid || it.parent === pid).map((it) => it.own + it.ofEnded)
  if (ticks.length === 0) throw new Error(UNKNOWN)
  return ticks.reduce((sum, it) => sum + it, 0) / TICKS
}

/** Who has begun a process. */
export function parentOf(pid: number): number {
  const times = timesOf(String(pid))
  if (!times) throw new Error(UNKNOWN)
  return times.parent
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5); null for what is no process, or has ended. */
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
