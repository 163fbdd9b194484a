module stats
contains
  function mean(values) result(average)
    real, intent(in) :: values(:)
    real :: average
    integer :: i
    average = 0.0
    do i = 1, size(values)
      average = average + values(i)
    end do
    average = average / size(values)
  end function mean
end module stats

program main
  use stats
  real :: numbers(4)
  real :: m
  numbers = [1.0, 2.0, 3.0, 6.0]
  m = mean(numbers)
  print *, 'mean', m
end program main
