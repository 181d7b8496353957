/** Texts of messages to the operator, in English only. */
export const operatorTexts = {
  message: {
    "operator-not-provisioned": {
      heading: "Order {{about}} is paid but not set up",
      lead: "The buyer has paid and has no access yet. Setting it up is tried again by itself.",
    },
    "operator-order-on-hold": {
      heading: "Order {{about}} is on hold",
      lead: "The buyer waits until you release it or refuse it.",
    },
    "operator-gateway-down": {
      heading: "Gateway {{about}} does not respond",
      lead: "Buyers may not be able to open new payments there. Payments already made are read once it responds.",
    },
    "operator-gateway-up": {
      heading: "Gateway {{about}} responds again",
      lead: "There is nothing to do.",
    },
    "operator-refund": {
      heading: "Order {{about}} was refunded",
      lead: "The order’s service goes on. End it in your panel if the refund was meant to end it.",
    },
    "operator-withdrawal": {
      heading: "The buyer has withdrawn from order {{about}}",
      lead: "The buyer has got an acknowledgement. End the service and refund what is due.",
    },
    "operator-jobs-parked": {
      heading: "Jobs are parked: {{about}}",
      lead: "They are not tried again until you retry or discard them.",
    },
    "operator-dunning-stopped": {
      heading: "Suspensions have stopped: {{about}}",
      lead: "No customer is reminded, and no service is suspended or terminated, until you have looked and release it.",
    },
    "operator-webhook-failing": {
      heading: "Events are not delivered to {{about}}",
      lead: "The shop goes on trying. After 3 days without a success it pauses the endpoint, and no event is lost.",
    },
    "operator-webhook-paused": {
      heading: "Events are not sent any more to {{about}}",
      lead: "They are kept for 90 days. Resume the endpoint to have them sent, the oldest first.",
    },
    "operator-access": {
      heading: "Access to the console: {{about}}",
      lead: "An owner can move money, and confirm what another owner has asked for: after 3 days, or at once if the admin CLI adds them while the console is set up. If you know nothing of it, ask, and disable who did it.",
    },
  },
  common: {
    subject: "[{{shop}}] {{heading}}",
    commands: "Commands",
    reason: "This email goes to the operator of {{shop}}.",
  },
} as const
