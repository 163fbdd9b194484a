const { formatPrice } = require('./format');

exports.label = (cents) => `${formatPrice(cents)} EUR`;
