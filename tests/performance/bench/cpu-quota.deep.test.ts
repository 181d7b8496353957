import { spawn } from "node:child_process"
import { existsSync, globSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { expect, test } from "vitest"
import { holdToShare } from "./cpu-quota"
import { processorSeconds } from "./cpu-time"

const mayHold = holdToShare(process.pid, 1)
mayHold?.()

test.runIf(mayHold)(
  "a process limited to a fifth of a core gets no more, and its control group is removed",
  async () => {
    const busy = spawn(process.execPath, ["-e", "for (;;);"])
    const pid = busy.pid ?? 0
    const letGo = holdToShare(pid, 0.2)
    const before = processorSeconds(pid)
    await pause(1_000)
    expect(processorSeconds(pid) - before).toBeLessThan(0.4)
    letGo?.()
    expect(globSync(`/sys/fs/cgroup/{,cpu/}boxoffice-${process.pid}-*`)).toEqual([])
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    busy.kill("SIGKILL")
  },
)

test("limiting an unknown process returns null and leaves no control group", () => {
  expect(holdToShare(2 ** 22 + 1, 0.2)).toBeNull()
  expect(globSync(`/sys/fs/cgroup/{,cpu/}boxoffice-${process.pid}-*`)).toEqual([])
})
