/** How often it is looked whether the press has ended, in milliseconds. */
const LOOK_EVERY_MS = 50

let isPressed = false
if (!import.meta.env.SSR)
  for (const type of ["pointerdown", "pointerup", "pointercancel"])
    addEventListener(type, () => {
      isPressed = type === "pointerdown"
    })

/**
 * Acts once nothing is being pressed: what appears during a press moves the pressed control away from the pointer, and the click is
 * lost. A tap's events follow each other without a break, so it waits for them too.
 */
export function afterPress(act: () => void): void {
  const look = () => (isPressed ? void setTimeout(look, LOOK_EVERY_MS) : act())
  setTimeout(look)
}
