import { SECOND } from "~/domain/calendar"

/**
 * Reads each second what another instance may have changed, until stopped: it holds everywhere within two seconds, without a
 * reading by requests. One that takes longer is waited for. `report` is called once while nothing can be read, such as while the
 * database is away.
 */
export function readEachSecond(read: () => Promise<void>, report: (error: unknown) => void): () => void {
  let isReading = false
  let isLost = false
  const timer = setInterval(async () => {
    if (isReading) return
    isReading = true
    try {
      await read()
      isLost = false
    } catch (error) {
      if (!isLost) report(error)
      isLost = true
    } finally {
      isReading = false
    }
  }, SECOND).unref()
  return () => clearInterval(timer)
}
