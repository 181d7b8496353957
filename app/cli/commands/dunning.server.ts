import { type Command, CommandError, UsageError } from "../command"

/** Lets dunning go on that the brake has stopped, with the services that were due until now. */
export const releaseBrake: Command = {
  about: "let suspensions go on after the brake has stopped them",
  args: [],
  options: { reason: "why, for the record" },
  required: ["reason"],
  audit: () => ({ action: "release-brake", subject: "brake of suspensions" }),
  async run({ billing, options, now }) {
    const reason = options.reason?.trim()
    if (!reason) throw new UsageError("Option --reason is required.")
    const { dunning } = billing
    if (dunning === null) throw new CommandError("Services are suspended by the external billing.")
    const brake = await dunning.brake()
    const isReleased = await dunning.release(reason, now)
    return {
      text: isReleased
        ? "Released. A running shop goes on within a minute, with all services that were due until now."
        : "The brake is not on.",
      data: { released: isReleased, reason: isReleased ? (brake?.reason ?? null) : null },
    }
  },
}
