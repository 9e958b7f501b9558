/** The id of the page in addresses, where experiments have theirs. */
export const HOW_WE_KNOW = "how-we-know";
