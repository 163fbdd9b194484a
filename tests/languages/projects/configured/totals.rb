def total(prices)
  sum = 0
  prices.each do |price|
    sum += price
  end
  sum
end

puts "total #{total([3, 4, 5])}"
