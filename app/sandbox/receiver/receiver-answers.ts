/** How the receiver answers the events that arrive, in display order. A tester chooses one on its page. */
export const receiverAnswers = [
  "accept",
  "late",
  "cut",
  "error",
  "gone",
  "too-many",
  "hang",
  "redirect",
] as const
export type ReceiverAnswer = (typeof receiverAnswers)[number]

export function isReceiverAnswer(text: unknown): text is ReceiverAnswer {
  return receiverAnswers.some((it) => it === text)
}

/** English only, as the console is: the operator reads it, no buyer. */
export const answerTexts: Readonly<Record<ReceiverAnswer, readonly [label: string, note: string]>> = {
  accept: ["200", "Each event is taken at once."],
  late: ["200, late", "The answer takes five seconds; the shop waits for 15."],
  cut: [
    "No answer: the connection breaks",
    "The event arrives, the answer is lost, and the event comes again.",
  ],
  error: ["500", "With a long text in HTML, which the console shows as text."],
  gone: ["410", "The shop pauses the endpoint at once."],
  "too-many": ["429 with Retry-After: 60", "The shop sends nothing for a minute."],
  hang: ["No answer", "The shop gives up after 15 seconds and tries again later."],
  redirect: ["Redirect (307)", "The shop does not follow it and counts it as a failure."],
}
