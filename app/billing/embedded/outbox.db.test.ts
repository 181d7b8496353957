import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { NOON } from "../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../tests/fixtures/temporary-database"
import { enqueueJob, outboxOf } from "./outbox.server"

describe.each(engines)("a job on %s", (engine) => {
  let ctx: TemporaryDatabase
  beforeEach(async () => {
    ctx = await openTemporaryDatabase(engine)
  })
  afterEach(() => ctx.close())

  const enqueue = () => enqueueJob(ctx, { topic: "provision", subject: "service", at: NOON })

  test("that is enqueued for the same subject again is one job", async () => {
    await enqueue()
    await enqueue()
    expect(await outboxOf(ctx).claim(NOON, MINUTE, 10)).toHaveLength(1)
  })

  test("that has been done is not done again when it is enqueued once more", async () => {
    await enqueue()
    for (const job of await outboxOf(ctx).claim(NOON, MINUTE, 10)) await outboxOf(ctx).complete(job)
    await enqueue()
    expect(await outboxOf(ctx).claim(NOON + HOUR, MINUTE, 10)).toEqual([])
  })
})
