import { type Command, CommandError, UsageError } from "~/cli/command"
import { isEmail } from "~/domain/customers/email"
import { signWith } from "~/security/hmac.server"
import { mailboxMark } from "~/security/trial-marks.server"
import { secretsOf } from "~/wiring/generated-secrets.server"

/** Also of a mailbox whose customer was erased, or has another one by now. */
export const forgiveTrial: Command = {
  about: "let a person have another free trial",
  args: ["EMAIL"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  async audit({ billing, args: [email = ""] }) {
    const customer = await billing.billing.customerOf(email)
    return { action: "forgive-trial", subject: customer ? `customer ${customer.id}` : "a former customer" }
  },
  async run({ billing, config, options, args: [email = ""] }) {
    if (!options.reason?.trim()) throw new UsageError("Option --reason is required.")
    if (!isEmail(email)) throw new UsageError(`Invalid email address "${email}".`)
    if (billing.trials === null) throw new CommandError("The external billing system decides on free trials.")
    const mailbox = mailboxMark(signWith(secretsOf(config), "links"), email)
    if (!(await billing.trials.forgiveTrial(mailbox)))
      throw new CommandError("No free trial is known of this mailbox.")
    return {
      text: "Forgiven. The mailbox, and the browser and network of its trial, may have another one.",
      data: { email },
    }
  },
}
