/** Number of development accounts that the page offers as keys and knows by name; their keys are public. */
export const DEV_ACCOUNTS = 10;
