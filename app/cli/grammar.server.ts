import type { Command } from "./command"
import { listAffiliates } from "./commands/affiliates.server"
import { createBackup, restoreBackup } from "./commands/backup.server"
import { addBlock, listBlocks, removeBlock } from "./commands/blocks.server"
import { resendCallback, testCallback } from "./commands/callbacks.server"
import { exportCatalogue, importCatalogue } from "./commands/catalogue.server"
import { advanceClock } from "./commands/clock.server"
import { changeCustomerEmail, eraseCustomerData, exportCustomerData } from "./commands/customer-data.server"
import { doctor } from "./commands/doctor.server"
import { releaseBrake } from "./commands/dunning.server"
import { checkGateways } from "./commands/gateways.server"
import { refuseHeldOrder, releaseHeldOrder } from "./commands/held-orders.server"
import { discardJob, listJobs, retryJobs } from "./commands/jobs.server"
import { listOrders } from "./commands/list-orders.server"
import { listMail, resendMail, showMail, suppressedMail, testMail } from "./commands/mail-log.server"
import { cancelOrder, markPaid, pollOrder } from "./commands/order-commands.server"
import { previewMail } from "./commands/preview-mail.server"
import { grantCredits, listResellers } from "./commands/resellers.server"
import {
  extendServices,
  listCampaigns,
  resumeService,
  suspendService,
  terminateService,
  undoCampaign,
} from "./commands/service-commands.server"
import { listServices, showService } from "./commands/services.server"
import { setPassword } from "./commands/set-password.server"
import { showOrder } from "./commands/show-order.server"
import { signInLink } from "./commands/sign-in-link.server"

type Verbs = { readonly [verb: string]: Command }

/** All commands by noun and verb. A noun with a `Command` has no verbs. */
export const grammar: { readonly [noun: string]: Verbs | Command } = {
  orders: {
    list: listOrders,
    show: showOrder,
    poll: pollOrder,
    "mark-paid": markPaid,
    cancel: cancelOrder,
    release: releaseHeldOrder,
    refuse: refuseHeldOrder,
    "resend-callback": resendCallback,
  },
  jobs: { list: listJobs, retry: retryJobs, discard: discardJob },
  customers: {
    "sign-in-link": signInLink,
    "set-password": setPassword,
    "change-email": changeCustomerEmail,
    export: exportCustomerData,
    erase: eraseCustomerData,
  },
  services: {
    list: listServices,
    show: showService,
    extend: extendServices,
    suspend: suspendService,
    resume: resumeService,
    terminate: terminateService,
    campaigns: listCampaigns,
    undo: undoCampaign,
    "release-brake": releaseBrake,
  },
  resellers: { list: listResellers, "grant-credits": grantCredits },
  affiliates: { list: listAffiliates },
  blocks: { list: listBlocks, add: addBlock, remove: removeBlock },
  gateways: { check: checkGateways, "test-callback": testCallback },
  mail: {
    list: listMail,
    show: showMail,
    resend: resendMail,
    test: testMail,
    suppressed: suppressedMail,
    preview: previewMail,
  },
  clock: { advance: advanceClock },
  catalogue: { export: exportCatalogue, import: importCatalogue },
  backup: { create: createBackup, restore: restoreBackup },
  doctor,
}

export function isCommand(entry: Verbs | Command): entry is Command {
  return typeof entry.run === "function"
}

/** All commands by their full name, such as "orders list". */
export function allCommands(): ReadonlyMap<string, Command> {
  return new Map(
    Object.entries(grammar).flatMap(([noun, entry]): [string, Command][] =>
      isCommand(entry)
        ? [[noun, entry]]
        : Object.entries(entry).map(([verb, command]) => [`${noun} ${verb}`, command]),
    ),
  )
}
