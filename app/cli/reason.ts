import { UsageError } from "./command"

/** The value of `--reason`, where only some uses of a command need one. Throws `UsageError` without it. */
export function reasonIn(reason: string | undefined): string {
  const text = reason?.trim()
  if (!text) throw new UsageError("Option --reason is required.")
  return text
}
