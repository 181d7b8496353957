import { type Call, type Command, CommandError } from "~/cli/command"
import { counted } from "~/cli/format"
import { reEncryptSecrets, remedyOf } from "~/flows/admin/shop/re-encrypt-secrets.server"
import type { SecretSeals } from "~/security/cookie-encryption.server"
import { secretSealsOf } from "~/wiring/secret-seals.server"

export const reEncrypt: Command = {
  about: "encrypt stored secrets anew with the first of OPERATOR_SECRETS, so that the others may go",
  args: [],
  options: { reason: "why, for the audit log" },
  audit: () => ({ action: "re-encrypt-secrets", subject: "stored secrets" }),
  async run(call) {
    const { storedSecrets } = call.billing
    const { reEncrypted, current, outdated, unreadable } = await reEncryptSecrets({
      storedSecrets,
      secretSeals: sealsOf(call),
    })
    const rest =
      outdated === 0
        ? "None needs a later one any more."
        : `${counted(outdated, "secret")} changed meanwhile: repeat the command.`
    const lost = unreadable.map((it) => `${it.kind} ${it.name} cannot be decrypted: ${remedyOf(it)}`)
    return {
      text: [`${counted(reEncrypted, "secret")} encrypted anew, ${current} in all. ${rest}`, ...lost].join(
        "\n",
      ),
      data: { reEncrypted, current, outdated, unreadable },
      isFailure: outdated > 0 || unreadable.length > 0,
    }
  },
}

function sealsOf({ config }: Call): SecretSeals {
  const seals = secretSealsOf(config)
  if (!seals) throw new CommandError("OPERATOR_SECRETS is not set: nothing is stored encrypted.")
  return seals
}
