import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { signWith } from "~/security/hmac.server"
import { mailboxMark } from "~/security/trial-marks.server"
import { type CommandLine, openCommandLine, SECRET } from "../../../../tests/fixtures/admin-cli"

const ANA = "ana+tv@example.test"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

describe("forgive-trial", () => {
  const hadTrial = (email: string) => {
    const mailbox = mailboxMark(signWith([SECRET], "links"), email)
    line.spoil(`INSERT INTO trial_claims (mark, hash, claimed_at) VALUES ('email', '${mailbox}', 1)`)
  }

  test("frees a mailbox in any spelling, and the audit log has the reason and no email", async () => {
    hadTrial(ANA)
    const forgive = "customers forgive-trial Ana@example.test --reason outage"
    expect((await line.command(forgive)).output).toMatch(/^Forgiven/)
    expect(await line.command(forgive)).toEqual({
      exitCode: 1,
      output: "No free trial is known of this mailbox.",
    })
    const [, done] = await line.backend.auditLog.page({ after: 0, limit: 2 })
    expect(done).toMatchObject({
      action: "forgive-trial",
      subject: "a former customer",
      reason: "outage",
      outcome: "done",
    })
  })

  test("names the customer of the email in the audit log", async () => {
    hadTrial(ANA)
    await line.command(`customers forgive-trial ${ANA} --reason outage`)
    const [entry] = await line.backend.auditLog.page({ after: 0, limit: 1 })
    expect(entry?.subject).toBe(`customer ${line.customerId}`)
  })

  test("needs a reason and an email", async () => {
    expect((await line.command(`customers forgive-trial ${ANA}`)).exitCode).toBe(2)
    expect((await line.command("customers forgive-trial ana --reason outage")).exitCode).toBe(2)
  })
})
