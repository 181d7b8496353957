import type { Call, Command } from "~/cli/command"
import { jsonTime } from "~/cli/format"
import { shopTexts } from "~/cli/shop-texts.server"
import { type FirstDay, type FirstDayStep, firstDay } from "~/flows/admin/shop/first-day.server"
import { hasMailServer, operatorEmailOf } from "~/wiring/mail.server"

/** What each step of the checklist is. */
export const stepLabels: Readonly<Record<FirstDayStep, string>> = {
  brand: 'a support that customers reach (links.support in SHOP_FILE, or the console\'s "Brand and texts")',
  plans: 'plans and prices of your own (CATALOGUE_FILE, or the console\'s "Catalogue")',
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
export async function firstDayOf({ billing, config, now }: Call): Promise<FirstDay> {
  const settings = {
    publicUrl: config.PUBLIC_URL,
    testMode: config.sandbox,
    gateways: config.GATEWAYS,
    support: (await shopTexts({ billing, config })).links.support,
    hasCatalogueFile: config.CATALOGUE_FILE !== undefined,
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
