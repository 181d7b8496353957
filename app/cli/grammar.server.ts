import type { Command } from "./command"
import { exportAccountingFile, showAccountingCommand, showOneStopShop } from "./commands/accounting.server"
import { exportAffiliates, listAffiliates, showAffiliate } from "./commands/affiliates.server"
import { confirmApproval, listApprovals, refuseApproval } from "./commands/approvals.server"
import { exportAuditLog, listAuditLog, verifyAuditLog } from "./commands/audit.server"
import { createBackup, listBackupsCommand, restoreBackup, verifyBackup } from "./commands/backup.server"
import { addBlock, listBlocks, removeBlock } from "./commands/blocks.server"
import { brandVersions, resetBrand, restoreBrand, setBrand, showBrand } from "./commands/brand.server"
import {
  bulkCancel,
  bulkExtend,
  bulkResend,
  bulkResult,
  bulkRetryJobs,
  bulkRetryOrders,
  listBulk,
  showBulk,
  stopBulkCommand,
} from "./commands/bulk.server"
import { requestCallback, resendCallback, testCallback } from "./commands/callbacks.server"
import { exportCatalogue, importCatalogue } from "./commands/catalogue.server"
import {
  catalogueVersions,
  copyProduct,
  removeProduct,
  takeBackVersion,
} from "./commands/catalogue-versions.server"
import { showChecklist } from "./commands/checklist.server"
import { advanceClock } from "./commands/clock.server"
import { eraseCustomerData, exportCustomerData } from "./commands/customer-data.server"
import {
  changeCustomerEmail,
  grantAccountCreditTo,
  listCustomersCommand,
  mailSignInLink,
  searchForCustomers,
  showCustomer,
} from "./commands/customers.server"
import { dismissRefund } from "./commands/dismiss-refund.server"
import { doctor } from "./commands/doctor.server"
import { continueAfter, listDocuments, saveDocument, showDocument } from "./commands/documents.server"
import { releaseBrake } from "./commands/dunning.server"
import { endCustomerSessions } from "./commands/end-customer-sessions.server"
import { forgiveTrial } from "./commands/forgive-trial.server"
import { checkGateways, drainGateway, offerGateway } from "./commands/gateways.server"
import { refuseHeldOrder, releaseHeldOrder } from "./commands/held-orders.server"
import { discardJob, listJobs, retryJobs } from "./commands/jobs.server"
import { exportOrderList, listOrders, searchForOrders } from "./commands/list-orders.server"
import { listenForWebhooks } from "./commands/listen.server"
import { listMail, resendMail, showMail, suppressedMail, testMail } from "./commands/mail-log.server"
import { leaveNeedCommand, listNeeds, takeNeedCommand } from "./commands/needs.server"
import { choosePlan, keepPlan } from "./commands/next-plan.server"
import {
  addOperatorCommand,
  disableOperator,
  endOperatorSessions,
  listOperatorSessions,
  listOperators,
  resetOperatorCommand,
} from "./commands/operators.server"
import { cancelOrder, markPaid, pollOrder } from "./commands/order-commands.server"
import { addNote, addTag, removeTag } from "./commands/order-notes.server"
import { previewMail } from "./commands/preview-mail.server"
import { keepPrice, movePrice } from "./commands/price-moves.server"
import {
  addPromotion,
  editPromotion,
  exportPromotionCodes,
  generatePromotionCodes,
  listOneTimeCodes,
  listPromotionCodes,
  showPromotion,
  switchOffPromotion,
  switchOnPromotion,
  withdrawPromotionCodes,
} from "./commands/promotions.server"
import { refundOrder } from "./commands/refund-order.server"
import { listRejectedCallbacks, showRejectedCallback } from "./commands/rejected-callbacks.server"
import { grantCredits, listResellers, resellerStatement, showReseller } from "./commands/resellers.server"
import { extendServices, listCampaigns, undoCampaign } from "./commands/service-campaigns.server"
import {
  recreateServiceCommand,
  resumeService,
  setConnections,
  setDevice,
  showCredentials,
  suspendService,
  terminateService,
} from "./commands/service-commands.server"
import { listServices, showService } from "./commands/services.server"
import { setPassword } from "./commands/set-password.server"
import { showSettings } from "./commands/settings.server"
import { showOrder } from "./commands/show-order.server"
import { signInLink } from "./commands/sign-in-link.server"
import { showSteps } from "./commands/steps.server"
import {
  confirmTax,
  previewTaxCommand,
  restoreTax,
  setTax,
  showTax,
  switchOffTax,
  taxVersions,
  useTaxFile,
} from "./commands/tax.server"
import {
  assignUnmatched,
  dismissUnmatched,
  listUnmatched,
  returnUnmatched,
} from "./commands/unmatched-payments.server"
import {
  addWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  redeliverWebhook,
  removeWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  showWebhook,
  testWebhook,
} from "./commands/webhooks.server"

type Verbs = { readonly [verb: string]: Command }

/** All commands by noun and verb. A noun with a `Command` has no verbs. */
export const grammar: { readonly [noun: string]: Verbs | Command } = {
  orders: {
    list: listOrders,
    search: searchForOrders,
    export: exportOrderList,
    show: showOrder,
    poll: pollOrder,
    "mark-paid": markPaid,
    cancel: cancelOrder,
    release: releaseHeldOrder,
    refuse: refuseHeldOrder,
    "resend-callback": resendCallback,
    refund: refundOrder,
    "dismiss-refund": dismissRefund,
    "add-note": addNote,
    "add-tag": addTag,
    "remove-tag": removeTag,
  },
  needs: { list: listNeeds, take: takeNeedCommand, leave: leaveNeedCommand },
  "unmatched-payments": {
    list: listUnmatched,
    assign: assignUnmatched,
    return: returnUnmatched,
    dismiss: dismissUnmatched,
  },
  approvals: { list: listApprovals, confirm: confirmApproval, refuse: refuseApproval },
  bulk: {
    list: listBulk,
    show: showBulk,
    stop: stopBulkCommand,
    result: bulkResult,
    extend: bulkExtend,
    cancel: bulkCancel,
    resend: bulkResend,
    retry: bulkRetryOrders,
    "retry-jobs": bulkRetryJobs,
  },
  jobs: { list: listJobs, retry: retryJobs, discard: discardJob },
  customers: {
    list: listCustomersCommand,
    search: searchForCustomers,
    show: showCustomer,
    "grant-credit": grantAccountCreditTo,
    "mail-sign-in-link": mailSignInLink,
    "sign-in-link": signInLink,
    "set-password": setPassword,
    "change-email": changeCustomerEmail,
    "end-sessions": endCustomerSessions,
    "forgive-trial": forgiveTrial,
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
    recreate: recreateServiceCommand,
    "set-device": setDevice,
    "set-connections": setConnections,
    credentials: showCredentials,
    campaigns: listCampaigns,
    undo: undoCampaign,
    "move-price": movePrice,
    "keep-price": keepPrice,
    "choose-plan": choosePlan,
    "keep-plan": keepPlan,
    "release-brake": releaseBrake,
  },
  resellers: {
    list: listResellers,
    show: showReseller,
    statement: resellerStatement,
    "grant-credits": grantCredits,
  },
  documents: { list: listDocuments, show: showDocument, save: saveDocument, "continue-after": continueAfter },
  accounting: {
    show: showAccountingCommand,
    export: exportAccountingFile,
    "one-stop-shop": showOneStopShop,
  },
  affiliates: { list: listAffiliates, show: showAffiliate, export: exportAffiliates },
  promotions: {
    list: listPromotionCodes,
    show: showPromotion,
    add: addPromotion,
    edit: editPromotion,
    "switch-off": switchOffPromotion,
    "switch-on": switchOnPromotion,
    "generate-codes": generatePromotionCodes,
    "list-codes": listOneTimeCodes,
    "export-codes": exportPromotionCodes,
    "withdraw-codes": withdrawPromotionCodes,
  },
  steps: { show: showSteps },
  blocks: { list: listBlocks, add: addBlock, remove: removeBlock },
  gateways: {
    check: checkGateways,
    drain: drainGateway,
    offer: offerGateway,
    "test-callback": testCallback,
    "request-callback": requestCallback,
    "rejected-callbacks": listRejectedCallbacks,
    "show-rejected-callback": showRejectedCallback,
  },
  mail: {
    list: listMail,
    show: showMail,
    resend: resendMail,
    test: testMail,
    suppressed: suppressedMail,
    preview: previewMail,
  },
  webhooks: {
    add: addWebhook,
    list: listWebhooks,
    show: showWebhook,
    edit: editWebhook,
    pause: pauseWebhook,
    resume: resumeWebhook,
    "rotate-secret": rotateWebhookSecret,
    test: testWebhook,
    remove: removeWebhook,
    redeliver: redeliverWebhook,
    deliveries: listDeliveries,
    listen: listenForWebhooks,
  },
  clock: { advance: advanceClock },
  catalogue: {
    export: exportCatalogue,
    import: importCatalogue,
    versions: catalogueVersions.list,
    "show-version": catalogueVersions.show,
    compare: catalogueVersions.compare,
    "take-back": takeBackVersion,
    "copy-product": copyProduct,
    "remove-product": removeProduct,
  },
  tax: {
    show: showTax,
    set: setTax,
    confirm: confirmTax,
    "switch-off": switchOffTax,
    "use-file": useTaxFile,
    versions: taxVersions.list,
    "show-version": taxVersions.show,
    compare: taxVersions.compare,
    restore: restoreTax,
    preview: previewTaxCommand,
  },
  brand: {
    show: showBrand,
    set: setBrand,
    versions: brandVersions.list,
    "show-version": brandVersions.show,
    compare: brandVersions.compare,
    restore: restoreBrand,
    reset: resetBrand,
  },
  operators: {
    add: addOperatorCommand,
    list: listOperators,
    reset: resetOperatorCommand,
    disable: disableOperator,
    sessions: listOperatorSessions,
    "end-sessions": endOperatorSessions,
  },
  checklist: { show: showChecklist },
  audit: { list: listAuditLog, export: exportAuditLog, verify: verifyAuditLog },
  backup: { create: createBackup, list: listBackupsCommand, verify: verifyBackup, restore: restoreBackup },
  settings: { show: showSettings },
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
