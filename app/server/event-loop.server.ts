import { SECOND } from "~/domain/calendar"

const BEAT = SECOND / 50

/**
 * For how many milliseconds the process has been busy with the present round of its event loop: as long as somebody who
 * is asked for now may have waited to be noticed. Node's own `monitorEventLoopDelay` tells it of rounds that are over,
 * too late for whoever stands in the one that takes too long.
 */
export function loopLag(): () => number {
  let beaten = performance.now()
  const beat = () => {
    beaten = performance.now()
  }
  setInterval(beat, BEAT).unref()
  return () => Math.max(0, performance.now() - beaten - BEAT)
}
