import type { Call, Command } from "~/cli/command"
import { jsonTime } from "~/cli/format"
import { type FirstDay, type FirstDayStep, firstDay } from "~/flows/admin/shop/first-day.server"
import { hasMailServer, operatorEmailOf } from "~/wiring/mail.server"

/** What each step of the checklist is. */
export const stepLabels: Readonly<Record<FirstDayStep, string>> = {
  gateway: "a real payment gateway (GATEWAYS and its secrets)",
  secrets: "a public address with https, and secrets of its own",
  callback: "an update of a payment from every gateway (gateways test-callback GATEWAY)",
  payment: "a paid order",
  panel: "a service that the panel has provisioned",
  mail: "a message that a mail server has accepted (mail test EMAIL)",
  alerts: "alerts by mail (OPERATOR_EMAIL)",
  backup: "a backup of the last seven days (backup create FILE)",
}

/** The checklist with the settings of the admin CLI. */
export function firstDayOf({ billing, config, now }: Call): Promise<FirstDay> {
  const settings = {
    publicUrl: config.PUBLIC_URL,
    testMode: config.sandbox,
    gateways: config.GATEWAYS,
    hasMail: hasMailServer(config),
    hasAlerts: operatorEmailOf(config) !== null,
  }
  return firstDay(billing, settings, now)
}

/** The console's "My first day". */
export const showChecklist: Command = {
  about: "what a new shop needs, and what of it is done",
  args: [],
  async run(call) {
    const { steps, missing, lastBackup } = await firstDayOf(call)
    return {
      text: steps.map(({ step, done }) => `${done ? "done" : "    "}  ${stepLabels[step]}`).join("\n"),
      data: { steps, missing, lastBackup: lastBackup === null ? null : jsonTime(lastBackup) },
    }
  },
}
