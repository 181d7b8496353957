import { useState } from "react"
import { isEmail } from "~/domain/email"
import type { Problems } from "./problems"

export type EmailCheck = {
  /** What is to be said at the field now. */
  readonly problems: Problems
  /** Looks at what has been typed. True: it can be an e-mail address. */
  readonly judge: (typed: string) => boolean
  /** He is typing again: nothing is said until he is done. */
  readonly forgive: () => void
}

/** The e-mail's rule in the browser, said in the page's own words. What the server answers last comes first. */
export function useEmailCheck(answer: Problems): EmailCheck {
  const [own, setOwn] = useState<{ answer: Problems; problems: Problems } | null>(null)
  const say = (problems: Problems) => setOwn({ answer, problems })
  return {
    problems: own?.answer === answer ? own.problems : answer,
    forgive: () => say({}),
    judge(typed) {
      const good = isEmail(typed.trim())
      say(good ? {} : { email: ["checkout.email.invalid"] })
      return good
    },
  }
}
