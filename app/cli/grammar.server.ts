import type { Command } from "./command"
import {
  exportAccountingFile,
  showAccountingCommand,
  showOneStopShop,
} from "./commands/accounting/accounting.server"
import {
  continueAfter,
  listDocuments,
  saveDocument,
  showDocument,
} from "./commands/accounting/documents.server"
import { exportAffiliates, listAffiliates, showAffiliate } from "./commands/affiliates.server"
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
import { exportCatalogue, importCatalogue } from "./commands/catalogue/catalogue.server"
import {
  catalogueVersions,
  copyProduct,
  removeProduct,
  takeBackVersion,
} from "./commands/catalogue/catalogue-versions.server"
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
} from "./commands/catalogue/promotions.server"
import { scheduledPrices, schedulePrice, unschedulePrice } from "./commands/catalogue/scheduled-prices.server"
import { eraseCustomerData, exportCustomerData } from "./commands/customers/customer-data.server"
import {
  changeCustomerEmail,
  exportCustomerList,
  grantAccountCreditTo,
  listCustomersCommand,
  mailSignInLink,
  searchForCustomers,
  showCustomer,
} from "./commands/customers/customers.server"
import { endCustomerSessions } from "./commands/customers/end-customer-sessions.server"
import { forgiveTrial } from "./commands/customers/forgive-trial.server"
import { setPassword } from "./commands/customers/set-password.server"
import { signInLink } from "./commands/customers/sign-in-link.server"
import { releaseBrake } from "./commands/dunning.server"
import { discardJob, listJobs, retryJobs } from "./commands/jobs.server"
import { listMail, resendMail, showMail, suppressedMail, testMail } from "./commands/mail/mail-log.server"
import { previewMail } from "./commands/mail/preview-mail.server"
import { confirmApproval, listApprovals, refuseApproval } from "./commands/operators/approvals.server"
import { exportAuditLog, listAuditLog, verifyAuditLog } from "./commands/operators/audit.server"
import {
  addOperatorCommand,
  disableOperator,
  endOperatorSessions,
  listOperatorSessions,
  listOperators,
  resetOperatorCommand,
} from "./commands/operators/operators.server"
import { dismissChargeback } from "./commands/orders/dismiss-chargeback.server"
import { dismissRefund } from "./commands/orders/dismiss-refund.server"
import { refuseHeldOrder, releaseHeldOrder } from "./commands/orders/held-orders.server"
import { exportOrderList, listOrders, searchForOrders } from "./commands/orders/list-orders.server"
import { cancelOrder, markPaid, pollOrder, waiveOrderRest } from "./commands/orders/order-commands.server"
import { addNote, addTag, removeTag } from "./commands/orders/order-notes.server"
import { refundOrder } from "./commands/orders/refund-order.server"
import { showOrder } from "./commands/orders/show-order.server"
import { requestCallback, resendCallback, testCallback } from "./commands/payments/callbacks.server"
import { checkGateways, drainGateway, offerGateway } from "./commands/payments/gateways.server"
import { listRejectedCallbacks, showRejectedCallback } from "./commands/payments/rejected-callbacks.server"
import {
  assignUnmatched,
  dismissUnmatched,
  listUnmatched,
  returnUnmatched,
} from "./commands/payments/unmatched-payments.server"
import { grantCredits, listResellers, resellerStatement, showReseller } from "./commands/resellers.server"
import { choosePlan, keepPlan } from "./commands/services/next-plan.server"
import { keepPrice, movePrice } from "./commands/services/price-moves.server"
import { extendServices, listCampaigns, undoCampaign } from "./commands/services/service-campaigns.server"
import {
  recreateServiceCommand,
  resumeService,
  setConnections,
  setDevice,
  showCredentials,
  suspendService,
  terminateService,
} from "./commands/services/service-commands.server"
import { exportServiceList, listServices, showService } from "./commands/services/services.server"
import { createBackup, listBackupsCommand, restoreBackup, verifyBackup } from "./commands/shop/backup.server"
import { showChecklist } from "./commands/shop/checklist.server"
import { advanceClock } from "./commands/shop/clock.server"
import { doctor } from "./commands/shop/doctor.server"
import { leaveNeedCommand, listNeeds, takeNeedCommand } from "./commands/shop/needs.server"
import { reEncrypt } from "./commands/shop/secrets.server"
import { showSettings } from "./commands/shop/settings.server"
import { showSteps } from "./commands/shop/steps.server"
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
import { listenForWebhooks } from "./commands/webhooks/listen.server"
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
} from "./commands/webhooks/webhooks.server"

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
    "waive-rest": waiveOrderRest,
    cancel: cancelOrder,
    release: releaseHeldOrder,
    refuse: refuseHeldOrder,
    "resend-callback": resendCallback,
    refund: refundOrder,
    "dismiss-refund": dismissRefund,
    "dismiss-chargeback": dismissChargeback,
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
    "export-list": exportCustomerList,
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
    export: exportServiceList,
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
    "scheduled-prices": scheduledPrices,
    "schedule-price": schedulePrice,
    "unschedule-price": unschedulePrice,
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
  secrets: { "re-encrypt": reEncrypt },
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
