import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  type MailingDatabase,
  openMailingDatabase,
  usualMail,
} from "../../../../tests/fixtures/mailing-database"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("two requests to sign in that ended neither the other, on %s", (engine) => {
  let database: MailingDatabase
  beforeEach(async () => {
    database = await openMailingDatabase(engine)
  })
  afterEach(() => database.close())

  test("allow one sign-in: the older one does not become open once the newer one has been used", async () => {
    const { signInRequests } = database.billingWith(usualMail)
    const request = { email: "ana@example.test", sessionId: "asking", locale: "en-en", at: NOON } as const
    await signInRequests.create({ ...request, id: "a" })
    await signInRequests.create({ ...request, id: "b" })
    // What two transactions at the same moment leave, neither of which sees the other.
    await database.db.updateTable("sign_in_requests").set({ ended_at: null }).execute()

    const visit = { sessionId: "asking", since: NOON - 1, at: NOON + 1 }
    const use = (id: string) => signInRequests.use(id, { ...visit, customerId: "nobody" })
    expect(await use("a")).toBe(false)
    expect(await use("b")).toBe(true)
    expect(await use("a")).toBe(false)
    expect(await signInRequests.find("a", visit)).toBeNull()
    expect(await signInRequests.countCodeTry("a", visit)).toBeNull()
  })
})
