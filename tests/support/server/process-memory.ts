import { readFileSync } from "node:fs"

/** Returns the resident memory of a process in MiB. */
export function memoryOf(pid: number): number {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  if (!resident) throw new Error(`Cannot read the memory of process ${pid}`)
  return Number(resident[1]) / 1_024
}
