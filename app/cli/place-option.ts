import { type TimedPlace, timedPlaceIn } from "~/flows/admin/keyset-pages.server"
import { UsageError } from "./command"

/** The value of `--after`, where a list goes on. Throws `UsageError` if it is none. */
export function placeOption(value: string | undefined): TimedPlace | undefined {
  if (value === undefined) return undefined
  const place = timedPlaceIn(value)
  if (!place) throw new UsageError("--after must be the end of a list.")
  return place
}
