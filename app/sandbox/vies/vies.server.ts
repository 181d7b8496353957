import { setTimeout as wait } from "node:timers/promises"
import { z } from "zod"
import { bodyOf, type Exchange, json, requestJson, type SandboxResponse } from "../http.server"
import type { Route } from "../router.server"

/** How long a late answer takes: longer than the shop waits. */
const LATE_MS = 6_000

const Question = z.object({
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  vatNumber: z.string().regex(/^[A-Z0-9+*]{2,12}$/),
  requesterMemberStateCode: z.string().optional(),
  requesterNumber: z.string().optional(),
})
type Question = z.output<typeof Question>

const failed = (error: string, status = 200) =>
  json(status, { actionSucceed: false, errorWrappers: [{ error }] })

/** Numbers that do not exist, and those whose member states do not answer; all others exist. Check digits of all are right. */
const answers: Readonly<Record<string, (question: Question) => SandboxResponse | Promise<SandboxResponse>>> =
  {
    ESB58378431: (question) => json(200, found(question, false)),
    IT00743110157: () => failed("MS_UNAVAILABLE"),
    PL8567346215: () => failed("MS_MAX_CONCURRENT_REQ", 500),
    NL004495445B01: () => ({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      body: "<!doctype html><title>Maintenance</title><h1>VIES is being maintained</h1>",
    }),
    async BE0428759497(question) {
      await wait(LATE_MS)
      return json(200, found(question, true))
    },
  }

/** Numbers whose member state answers from the second request on. */
const atSecond: readonly string[] = ["LU15027442"]

/**
 * The wire form of the European Commission's VIES under `/vies`: `POST /vies/check-vat-number`. Numbers of each kind are in the
 * documents.
 */
export function viesRoutes(): readonly Route[] {
  const asked = new Set<string>()
  return [
    {
      method: "POST",
      path: /^\/vies\/check-vat-number$/,
      async handle({ request }: Exchange) {
        const question = Question.safeParse(requestJson(await bodyOf(request)))
        if (!question.success) return failed("INVALID_INPUT", 400)
        const { countryCode, vatNumber } = question.data
        const number = `${countryCode}${vatNumber}`
        const isFirst = !asked.has(number)
        asked.add(number)
        if (atSecond.includes(number) && isFirst) return failed("MS_UNAVAILABLE")
        return answers[number]?.(question.data) ?? json(200, found(question.data, true))
      },
    },
  ]
}

/** Only a request that names who asks has an identifier. */
function found({ countryCode, vatNumber, requesterNumber }: Question, valid: boolean) {
  return {
    countryCode,
    vatNumber,
    requestDate: new Date().toISOString(),
    valid,
    userError: valid ? "VALID" : "INVALID",
    requestIdentifier: requesterNumber ? `SANDBOX${countryCode}${vatNumber}` : "",
    name: valid ? "A COMPANY" : "---",
    address: valid ? "1 STREET\n1000 CITY" : "---",
  }
}
