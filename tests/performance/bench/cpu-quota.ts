import { mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Microseconds; short, so that a throttled process does not hold a lock for long. */
const PERIOD = 25_000
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Linux control groups, version 1 and 2 (cgroups(7)). */
const FORMS = [
  {
    root: "/sys/fs/cgroup/cpu",
    limits: (quota: number) => ({ "cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota }),
  },
  { root: "/sys/fs/cgroup", limits: (quota: number) => ({ "cpu.max": `${quota} ${PERIOD}` }) },
]

/**
 * Limits a process to a share of one core. With two limited instances, a machine with few cores still shows whether
 * they hinder each other. Returns a function that removes the limit and the control group; null if no control group can
 * be created.
 */
export function holdToShare(pid: number, share: number): (() => void) | null {
  for (const { root, limits } of FORMS) {
    const group = join(root, `boxoffice-${process.pid}-${pid}`)
    try {
      mkdirSync(group)
      for (const [name, limit] of Object.entries(limits(share * PERIOD))) write(join(group, name), limit)
      write(join(group, "cgroup.procs"), pid)
    } catch {
      dissolve(root, group, pid)
      continue
    }
    return lettingGo(() => dissolve(root, group, pid))
  }
  return null
}

/** Removes the limit when the function is called or when this process ends, also by a signal. */
function lettingGo(letGo: () => void): () => void {
  const result = (signal: NodeJS.Signals) => {
    letGo()
    process.kill(process.pid, signal)
  }
  process.once("exit", letGo)
  for (const signal of SIGNALS) process.once(signal, result)
  return () => {
    process.off("exit", letGo)
    for (const signal of SIGNALS) process.off(signal, result)
    letGo()
  }
}

/** Writes to an existing file only: without cgroups, the folder would be an ordinary one. */
function write(file: string, what: number | string): void {
  writeFileSync(file, String(what), { flag: "r+" })
}

/** A control group with processes cannot be removed. */
function dissolve(root: string, group: string, pid: number): void {
  quietly(() => write(join(root, "cgroup.procs"), pid))
  quietly(() => rmdirSync(group))
}

/** Ignores errors: the process may have ended, or the group may not exist. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {}
}
