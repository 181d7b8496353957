import { getHeapSpaceStatistics } from "node:v8"

function oldSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0
}

/** The most bytes by which an action that is repeated lets V8's old space grow, which is collected with the whole heap alone. */
export function promotedBytes(times: number, act: (nth: number) => void): number {
  const before = oldSpace()
  let most = 0
  for (let nth = 0; nth < times; nth++) {
    act(nth)
    if (nth % 100 === 0) most = Math.max(most, oldSpace() - before)
  }
  return most
}
