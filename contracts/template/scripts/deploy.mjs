/** @type {import('heddle/client').Script} */
export async function run({ deploy, sender, log, args: [start = '40'] }) {
  const contract = await deploy('Counter', { init: { owner: sender.signer.address, start } });
  await contract.call('increment', { by: 2 });
  log('it counts', await contract.view('count'));
}
