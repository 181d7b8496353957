import { UsageError } from "./command"

/** The value of `--reason`, without blanks around it. Throws `UsageError` without it. */
export function reasonIn(reason: string | undefined): string {
  const text = reason?.trim()
  if (!text) throw new UsageError("Option --reason is required.")
  return text
}
