import { mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** In millionths of a second; short, so that nobody is made to stand still for long with something locked. */
const PERIOD = 25_000
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Linux's control groups in their first and their second form (cgroups(7)). */
const FORMS = [
  {
    root: "/sys/fs/cgroup/cpu",
    limits: (quota: number) => ({ "cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota }),
  },
  { root: "/sys/fs/cgroup", limits: (quota: number) => ({ "cpu.max": `${quota} ${PERIOD}` }) },
]

/**
 * Holds a process to a share of one core, so that two of them leave room on a machine that has few: what they reach
 * together then tells whether they hinder each other, and not how many cores there are. Answers how to let go of it,
 * which leaves nothing behind; null where no control group may be made.
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

/** Once asked to, or when this process ends before, by itself or told to. */
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

/** Only what the kernel has put there: elsewhere the folder would be an ordinary one. */
function write(file: string, what: number | string): void {
  writeFileSync(file, String(what), { flag: "r+" })
}

/** A group that holds somebody cannot be removed. */
function dissolve(root: string, group: string, pid: number): void {
  quietly(() => write(join(root, "cgroup.procs"), pid))
  quietly(() => rmdirSync(group))
}

/** The process may have ended, and the group never have been made. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {}
}
